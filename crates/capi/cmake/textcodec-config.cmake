# find_package(textcodec) defines the targets textcodec::textcodec, the shared library, and textcodec::static, for
# installations of `cargo cinstall`, in whose pkg-config file the flags stand.
#
#     find_package(textcodec REQUIRED)
#     target_link_libraries(program PRIVATE textcodec::textcodec)
include(CMakeFindDependencyMacro)

# This file is in PREFIX/share/cmake/textcodec.
get_filename_component(_textcodec_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_path(textcodec_INCLUDE_DIR textcodec.h HINTS "${_textcodec_prefix}/include")
find_library(textcodec_LIBRARY NAMES textcodec HINTS "${_textcodec_prefix}/lib" PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
find_library(textcodec_STATIC_LIBRARY
    NAMES "${CMAKE_STATIC_LIBRARY_PREFIX}textcodec${CMAKE_STATIC_LIBRARY_SUFFIX}"
    HINTS "${_textcodec_prefix}/lib" PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})

if(NOT textcodec_INCLUDE_DIR OR NOT (textcodec_LIBRARY OR textcodec_STATIC_LIBRARY))
    set(textcodec_FOUND FALSE)
    set(textcodec_NOT_FOUND_MESSAGE "textcodec.h or the library is not in ${_textcodec_prefix}.")
    return()
endif()

if(textcodec_LIBRARY AND NOT TARGET textcodec::textcodec)
    add_library(textcodec::textcodec UNKNOWN IMPORTED)
    set_target_properties(textcodec::textcodec PROPERTIES
        IMPORTED_LOCATION "${textcodec_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${textcodec_INCLUDE_DIR}")
endif()
if(textcodec_STATIC_LIBRARY AND NOT TARGET textcodec::static)
    # The standard library of Rust, which is in the static library, needs these.
    find_dependency(Threads)
    add_library(textcodec::static STATIC IMPORTED)
    set_target_properties(textcodec::static PROPERTIES
        IMPORTED_LOCATION "${textcodec_STATIC_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${textcodec_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS}")
    if(UNIX AND NOT APPLE)
        set_property(TARGET textcodec::static APPEND PROPERTY INTERFACE_LINK_LIBRARIES m)
    endif()
endif()
