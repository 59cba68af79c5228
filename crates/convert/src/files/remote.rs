//! File systems that are reached over a network.
//!
//! Some of them report an error of writing only when the file is closed: the quota is used up, or the connection is
//! lost. The standard library closes files without a result, so the program asks for these errors by synchronizing such
//! a file. This costs little, because closing a file there sends its bytes, too.

use std::{fs::File, io};

/// Waits until the bytes of a file on a remote file system are sent, and returns the errors of writing them. Does
/// nothing on others.
///
/// # Errors
/// The bytes could not be written.
pub fn confirm(file: &File) -> io::Result<()> {
    if is_remote(file) { file.sync_all() } else { Ok(()) }
}

/// Whether a file is on a remote file system.
#[cfg(target_os = "linux")]
pub(super) fn is_remote(file: &File) -> bool {
    use std::os::linux::fs::MetadataExt;

    // The numbers of file systems have 32 bits. Some processors sign-extend them.
    let Ok(system) = rustix::fs::fstatfs(file) else { return false };
    match system.f_type as u32 {
        // Programs that use block devices, such as ntfs-3g, are not remote.
        FUSE => file.metadata().is_ok_and(|metadata| rustix::fs::major(metadata.st_dev()) == 0),
        number => NUMBERS.contains(&number),
    }
}

/// Elsewhere the program does not know.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_remote(_: &File) -> bool {
    false
}

/// File systems in programs, such as sshfs.
#[cfg(target_os = "linux")]
const FUSE: u32 = 0x6573_5546;

/// The remote file systems of Linux, by the numbers of `linux/magic.h` and `statfs(2)`.
#[cfg(target_os = "linux")]
const NUMBERS: [u32; 9] = [
    0x0000_6969, // NFS
    0x0000_517B, // SMB
    0xFF53_4D42, // CIFS
    0xFE53_4D42, // SMB 2 and 3
    0x00C3_6400, // Ceph
    0x5346_414F, // AFS
    0x6B41_4653, // AFS of the kernel
    0x0102_1997, // 9P
    0x0BD0_0BD0, // Lustre
];

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Some numbers are the letters of names, and others were chosen by their looks.
    #[test]
    fn the_numbers_are_those_of_the_manual() {
        assert_eq!(FUSE.to_be_bytes(), *b"esUF");
        let [nfs, smb, cifs, smb2, ceph, afs, kernel_afs, plan_9, lustre] = NUMBERS;
        for (number, letters) in [(cifs, b"\xFFSMB"), (smb2, b"\xFESMB"), (afs, b"SFAO"), (kernel_afs, b"kAFS")] {
            assert_eq!(number.to_be_bytes(), *letters);
        }
        assert_eq!(format!("{nfs:x} {smb:x} {ceph:x} {plan_9:x} {lustre:x}"), "6969 517b c36400 1021997 bd00bd0");
    }

    #[test]
    fn a_file_of_this_machine_is_not_remote() {
        let file = File::open("/proc/version").unwrap();
        assert!(!is_remote(&file) && confirm(&file).is_ok());
    }
}
