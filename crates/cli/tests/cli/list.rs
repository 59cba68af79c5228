//! `textcodec list`.

use crate::room::Room;
use textcodec::Encoding;

#[test]
fn prints_every_name_and_every_label() {
    let output = Room::new().textcodec("list").assert().success().stderr("").get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    let lines: Vec<Vec<&str>> = output.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.len(), 40);
    assert_eq!(lines.iter().map(|line| line.len() - 1).sum::<usize>(), 228);
    for line in lines {
        for label in &line[1..] {
            assert_eq!(Encoding::for_label(label).unwrap().name(), line[0]);
        }
    }
}
