//! Copies the permissions, owner, group and extended attributes of a file to the new file that takes its place. Access
//! control lists are extended attributes.

use std::{fs::File, io};

/// Gives `new` the permissions of `existing`, its owner and group, and its extended attributes. Returns a sentence for
/// each of these that the system does not let the program keep.
#[cfg(unix)]
pub(super) fn copy(existing: &File, new: &File) -> io::Result<Vec<String>> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let metadata = existing.metadata()?;
    let before = new.metadata()?;
    let mut lost = Vec::new();
    let (has_owner, has_group) = (before.uid() == metadata.uid(), before.gid() == metadata.gid());
    let is_owned = has_owner && has_group || fchown(new, Some(metadata.uid()), Some(metadata.gid())).is_ok();
    if !is_owned {
        let has_group = has_group || fchown(new, None, Some(metadata.gid())).is_ok();
        let missing = match (has_owner, has_group) {
            (true, _) => "group",
            (false, true) => "owner",
            (false, false) => "owner and group",
        };
        lost.push(format!("its {missing} could not be kept"));
    }
    lost.extend(copy_extended(existing, new)?);
    // A program must not run as a user to whom it does not belong.
    let mode = metadata.mode() & if is_owned { 0o7777 } else { 0o777 };
    if mode != before.mode() & 0o7777 {
        new.set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    Ok(lost)
}

#[cfg(not(unix))]
pub(super) fn copy(existing: &File, new: &File) -> io::Result<Vec<String>> {
    new.set_permissions(existing.metadata()?.permissions())?;
    Ok(Vec::new())
}

/// The name of the extended attribute that has the access control list of POSIX.
#[cfg(unix)]
const ACCESS_CONTROL_LIST: &str = "system.posix_acl_access";

/// Gives `new` the extended attributes of `existing`.
///
/// It is an error if the access control list cannot be kept: the permissions alone would let other people in.
#[cfg(unix)]
fn copy_extended(existing: &File, new: &File) -> io::Result<Vec<String>> {
    use xattr::FileExt;

    let Ok(names) = existing.list_xattr() else { return Ok(Vec::new()) };
    // The list is copied last, because it can take away the permission to write that the other attributes need.
    let (lists, others): (Vec<_>, Vec<_>) = names.partition(|name| name == ACCESS_CONTROL_LIST);
    let copy = |name: &std::ffi::OsStr| -> io::Result<()> {
        match existing.get_xattr(name)? {
            // The new file may have this attribute already, for example a label of SELinux.
            Some(value) if new.get_xattr(name).ok().flatten().as_ref() != Some(&value) => new.set_xattr(name, &value),
            _ => Ok(()),
        }
    };
    let mut lost = Vec::new();
    for name in others {
        if let Err(error) = copy(&name) {
            lost.push(format!("its extended attribute {} could not be kept: {error}", name.display()));
        }
    }
    // The new file may have an access control list from the default list of its directory.
    let has_list = || new.list_xattr().map_or(true, |mut names| names.any(|name| name == ACCESS_CONTROL_LIST));
    if lists.is_empty() && has_list() {
        let _ = new.remove_xattr(ACCESS_CONTROL_LIST);
    }
    lists.iter().try_for_each(|name| copy(name))?;
    Ok(lost)
}
