//! `textcodec list` and `textcodec completions`.

use crate::room::Room;
use predicates::str::contains;
use textcodec::Encoding;

#[test]
fn prints_every_name_and_every_label() {
    let output = Room::new().textcodec("list").assert().success().stderr("").get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    let lines: Vec<Vec<&str>> = output.lines().map(|line| line.split_whitespace().collect()).collect();
    let (standard, others) = lines.split_at(40);
    assert_eq!(standard.iter().map(|line| line.len() - 1).sum::<usize>(), 228);
    for line in standard {
        for label in &line[1..] {
            assert_eq!(Encoding::for_label(label).unwrap().name(), line[0]);
        }
    }
    let families: Vec<&str> = others.iter().filter(|line| line[0] == "#").map(|line| line[1]).collect();
    assert_eq!(
        families,
        [
            "iso:",
            "dos:",
            "windows:",
            "mac:",
            "ebcdic:",
            "unicode:",
            "east-asian:",
            "ebcdic-east-asian:",
            "regional:",
            "libraries:",
            "telematic:",
            "others:"
        ]
    );
    let room = Room::with([("in", b"")]);
    for line in others.iter().filter(|line| line[0] != "#") {
        for label in line {
            assert!(Encoding::for_label(label).is_err(), "{label}");
        }
        // The tests of textcodec-convert look up the other labels.
        for label in [line[0], line[line.len() - 1]] {
            room.textcodec(&format!("convert --from {label} in")).assert().success();
        }
    }
}

#[test]
fn prints_objects_on_request() {
    let output = Room::new().textcodec("list --json").assert().success().stderr("").get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    let first = r#"{"name":"UTF-8","labels":["unicode-1-1-utf-8","#;
    assert!(output.starts_with(first), "{output}");
    assert!(output.contains(r#"{"name":"utf-7","labels":["utf-7","utf7","#), "{output}");
    assert!(output.contains(r#"],"standard":false,"writable":false,"family":"unicode"}"#), "{output}");
    assert!(output.contains(r#"],"standard":true,"writable":true,"family":null}"#), "{output}");
    assert!(output.lines().all(|line| line.starts_with('{') && line.ends_with('}')));
}

#[test]
fn objects_say_what_the_lines_say() {
    let [lines, objects] = ["list", "list --json"]
        .map(|command| String::from_utf8(Room::new().textcodec(command).output().unwrap().stdout).unwrap());
    let mut family = "null".to_owned();
    let mut objects = objects.lines();
    for line in lines.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            family = format!("\"{}\"", title.split(':').next().unwrap());
            continue;
        }
        let mut words = line.split_whitespace();
        let name = words.next().unwrap();
        let labels: Vec<_> = words.map(|label| format!("\"{label}\"")).collect();
        let charset = textcodec_convert::Charset::for_label(name).unwrap();
        let expected = format!(
            "{{\"name\":\"{name}\",\"labels\":[{}],\"standard\":{},\"writable\":{},\"family\":{family}}}",
            labels.join(","),
            family == "null",
            charset.is_writable()
        );
        assert_eq!(objects.next(), Some(&*expected));
    }
    assert_eq!(objects.next(), None);
}

#[test]
fn man_pages_have_the_lines_that_the_help_ends_with() {
    let room = Room::new();
    room.textcodec("man .").assert().success();
    for name in room.names() {
        let page = String::from_utf8(room.read(&name)).unwrap();
        let command = name.trim_end_matches(".1").trim_start_matches("textcodec").trim_start_matches('-').to_owned();
        let help = room.textcodec(&format!("{command} --help")).output().unwrap().stdout;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        // The help breaks long lines.
        let help = words(&String::from_utf8(help).unwrap());
        let Some((_, sections)) = page.split_once("\n.nf\n") else { continue };
        let mut lines = 0;
        for line in sections.lines().filter_map(|line| line.strip_prefix("\\&")) {
            // What a formatter makes of the line.
            let mut shown = String::new();
            let mut characters = line.chars();
            while let Some(character) = characters.next() {
                shown.push(match character {
                    '\\' => match characters.next() {
                        Some('e') => '\\',
                        Some('-') => '-',
                        other => panic!("{name}: {other:?} in {line}"),
                    },
                    '-' => panic!("{name}: a hyphen in {line}"),
                    other => other,
                });
            }
            assert!(help.contains(&words(&shown)), "{name}: {shown}");
            lines += 1;
        }
        assert!(lines > 0, "{name}");
    }
}

#[test]
fn writes_a_man_page_for_each_command() {
    let room = Room::new();
    room.textcodec("man .").assert().success().stdout("").stderr("");
    let names = room.names();
    for command in ["", "-check", "-convert", "-iconv", "-list", "-repair", "-show", "-sniff"] {
        assert!(names.contains(&format!("textcodec{command}.1")), "{names:?}");
    }
    let page = String::from_utf8(room.read("textcodec-convert.1")).unwrap();
    assert!(page.starts_with(".ie") && page.contains(".TH") && page.contains("transliterate"), "{page}");
    let version = env!("CARGO_PKG_VERSION");
    for name in &names {
        let page = String::from_utf8(room.read(name)).unwrap();
        let command = name.strip_suffix(".1").unwrap();
        let head = format!("\n.TH {command} 1  \"{} {version}\" \n", command.trim_start_matches("textcodec-"));
        assert!(page.contains(&head) && page.contains(&format!(".SH VERSION\nv{version}\n")), "{page}");
    }
    for name in names.iter().filter(|name| *name != "textcodec.1") {
        let page = String::from_utf8(room.read(name)).unwrap();
        let (_, examples) = page.split_once(".SH \"EXAMPLES\"\n.nf\n\\&  ").unwrap_or_else(|| panic!("{name}: {page}"));
        assert!(
            examples.ends_with(".fi\n") && page.matches(".nf\n").count() == page.matches(".fi\n").count(),
            "{page}"
        );
    }
    assert!(page.contains(".SH \"EXIT STATUS\"\n") && page.contains("\n\\&  textcodec convert \\-\\-from"), "{page}");
    room.textcodec("man missing").assert().code(1).stderr(contains("cannot write missing"));
}

#[test]
fn the_version_names_the_level_of_the_processor() {
    let version = format!("textcodec {}\n", env!("CARGO_PKG_VERSION"));
    let level = contains(format!("{version}level of the processor: "));
    Room::new().textcodec("--version").assert().success().stdout(level);
    Room::new().textcodec("-V").assert().success().stdout(version);
}

#[test]
fn prints_scripts_for_shells() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        Room::new()
            .textcodec(&format!("completions {shell}"))
            .assert()
            .success()
            .stdout(contains("convert"))
            .stderr("");
    }
    Room::new().textcodec("completions csh").assert().code(2);
}

/// Runs the scripts in the shells that are installed.
#[cfg(unix)]
#[test]
fn the_scripts_for_shells_work() {
    // The expected words come after a word and an option whose values are the labels of encodings.
    const WORDS: [(&str, &str, &str); 7] = [
        ("convert", "--in-p", "--in-place"),
        ("convert --to", "shift_j", "shift_jis"),
        ("convert -f", "aut", "auto"),
        ("check --encoding", "windows-125", "windows-1252"),
        ("check --deny", "moji", "mojibake"),
        ("iconv -f", "windows-125", "windows-1252"),
        ("names --read-as", "cp43", "cp437"),
    ];
    let room = Room::new();
    for shell in ["bash", "zsh", "fish"] {
        let script_of_shell = room.textcodec(&format!("completions {shell}")).output().unwrap().stdout;
        room.write("script", &script_of_shell);
        let script = match shell {
            "bash" => "source ./script; complete_words() { COMP_WORDS=(textcodec $1 $2); \
                       COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _textcodec textcodec $2 ${COMP_WORDS[COMP_CWORD - 1]}; \
                       echo ${COMPREPLY[@]}; };"
                .to_owned(),
            // Words are completed only on a terminal, so this looks at the functions.
            "zsh" => "autoload -U compinit && compinit -u -d dump && source ./script && compadd() { echo ${(P)2}; }; \
                      complete_words() { echo $_comps[textcodec]; _textcodec_sources_or_auto; \
                      functions _textcodec; };"
                .to_owned(),
            _ => {
                "source ./script; function complete_words; complete -C \"textcodec $argv[1] $argv[2]\"; end;".to_owned()
            }
        };
        let lines = WORDS.map(|(before, word, _)| format!("complete_words '{before}' '{word}'; echo END;"));
        let mut command = std::process::Command::new(shell);
        command.current_dir(room.path("")).env("HOME", room.path("")).args(["-c", &(script + &lines.concat())]);
        let Ok(output) = command.output() else {
            eprintln!("Not checked: {shell} is not installed.");
            continue;
        };
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.is_empty(), "{shell}: {message}");
        let text = String::from_utf8_lossy(&output.stdout);
        let answers: Vec<_> = text.split("END\n").collect();
        for (answer, (before, _, expected)) in answers.iter().zip(WORDS) {
            assert!(answer.contains(expected), "{shell}: {before}: {answer}");
        }
    }
}

#[test]
fn each_family_has_its_heading() {
    let lines = String::from_utf8(Room::new().textcodec("list").output().unwrap().stdout).unwrap();
    let headings: Vec<_> = lines.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    let expected = "\
iso: US-ASCII, ISO 646 and ISO 8859
dos: code pages of DOS and OS/2
windows: code pages of Windows
mac: character sets of the classic Mac OS
ebcdic: code pages of mainframes
unicode: forms of Unicode
east-asian: charsets of Chinese, Japanese and Korean
ebcdic-east-asian: code pages of mainframes for Chinese, Japanese and Korean
regional: character sets of countries and makers of computers
libraries: character sets of libraries, of genealogy, and of short messages
telematic: character sets of telematic services, such as Teletex and Videotex
others: other charsets that glibc has";
    assert_eq!(headings.join("\n"), expected);
}
