//! Checks in the compiled kernels that no branch leaves a function while the upper halves of vector registers are full.
//!
//! Code for SSE that runs while they are full takes some 100 ns longer on Intel's processors, and a test of results
//! cannot see it. The compiler clears these halves (`vzeroupper`) before a call, a return and a jump to another
//! function, but not before a conditional jump to another function. Where a function ends with
//! `if test { … } else { more(…) }`, the call of `more` becomes such a jump. The remedy is `clear_upper_halves` in the
//! kernels.

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};

/// The folder of the build, relative to the project's root. It can be removed at any time.
const FOLDER: &str = "target/exits";

/// Compiles the kernels to assembly text and checks it.
pub(crate) fn check(root: &Path) -> Result<()> {
    // Other systems have another syntax for functions in assembly text.
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("Not checked: how kernels leave vector code, because this machine is no x86-64 with Linux.");
        return Ok(());
    }
    let assembly = fs::read_to_string(compile(root)?)?;
    let functions = functions(&assembly);
    ensure!(functions.iter().any(|function| function.has_long_vectors()), "no function has vectors of 32 bytes");
    let exits: Vec<String> = functions.iter().flat_map(Function::full_exits).collect();
    ensure!(
        exits.is_empty(),
        "branches leave functions while the upper halves of vector registers are full; see xtask/src/exits.rs:\n{}",
        exits.join("\n")
    );
    println!(
        "{} functions: no branch leaves one while the upper halves of vector registers are full.",
        functions.len()
    );
    Ok(())
}

/// Compiles the kernels and returns the path of the assembly text.
fn compile(root: &Path) -> Result<PathBuf> {
    let folder = root.join(FOLDER);
    // The text of an earlier build would be taken for this one's.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .current_dir(root)
        .args(["rustc", "--quiet", "--release", "--package", "textcodec-kernels", "--lib", "--target-dir", FOLDER])
        .args(["--", "--emit=asm", "-Ccodegen-units=1"])
        .status()?;
    ensure!(status.success(), "the kernels do not compile");
    let compiled = folder.join("release/deps");
    let mut files = fs::read_dir(&compiled)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("textcodec_kernels") && name.ends_with(".s")
    });
    files.pop().with_context(|| format!("there is no assembly text in {}", compiled.display()))
}

/// A function in assembly text: its instructions, and the places of its labels among them.
struct Function<'a> {
    name: &'a str,
    instructions: Vec<&'a str>,
    labels: HashMap<&'a str, usize>,
}

/// The functions of assembly text, in the syntax of the GNU assembler.
fn functions(assembly: &str) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    let mut current: Option<Function<'_>> = None;
    let mut next_name = None;
    for line in assembly.lines() {
        let line = line.split("\t#").next().unwrap_or_default().trim_end();
        if let Some(name) = line.trim().strip_prefix(".type").and_then(|rest| rest.strip_suffix(",@function")) {
            next_name = Some(name.trim());
        } else if let Some(label) = line.strip_suffix(':') {
            if Some(label) == next_name {
                functions.extend(current.take());
                current = Some(Function { name: label, instructions: Vec::new(), labels: HashMap::new() });
            } else if let Some(function) = &mut current {
                function.labels.insert(label, function.instructions.len());
            }
        } else if let (Some(function), Some(instruction)) = (&mut current, line.strip_prefix('\t'))
            && !instruction.starts_with('.')
        {
            function.instructions.push(instruction);
        }
    }
    functions.extend(current);
    functions
}

impl Function<'_> {
    fn has_long_vectors(&self) -> bool {
        self.instructions.iter().any(|instruction| fills_upper_halves(instruction))
    }

    /// A sentence for each conditional jump to another function that can be reached while the upper halves are full.
    fn full_exits(&self) -> Vec<String> {
        let mut exits = Vec::new();
        // For each instruction, whether the halves can be full before it; `None` if it has not been reached.
        let mut states: Vec<Option<bool>> = vec![None; self.instructions.len()];
        // The instructions to follow the function from, last ones first. The labels are for code that only a table of
        // jumps reaches: nothing is known of the halves there, so they count as empty.
        let mut starts: Vec<(usize, bool)> = self.labels.values().map(|&at| (at, false)).collect();
        starts.push((0, false));
        while let Some((mut at, mut is_full)) = starts.pop() {
            while let Some(&instruction) = self.instructions.get(at) {
                if states[at].is_some_and(|before| before || !is_full) {
                    break;
                }
                states[at] = Some(is_full);
                let (mnemonic, operands) = instruction.split_once('\t').unwrap_or((instruction, ""));
                if mnemonic == "vzeroupper" {
                    is_full = false;
                } else if fills_upper_halves(instruction) {
                    is_full = true;
                } else if mnemonic.starts_with('j') {
                    match self.labels.get(operands) {
                        Some(&target) => starts.push((target, is_full)),
                        None if is_full && mnemonic != "jmp" => {
                            exits.push(format!("{}: {mnemonic} {operands}", self.name))
                        }
                        None => {}
                    }
                }
                if matches!(mnemonic, "jmp" | "jmpq" | "ret" | "retq" | "ud2") {
                    break;
                }
                at += 1;
            }
        }
        exits.sort();
        exits.dedup();
        exits
    }
}

/// Whether an instruction writes to one of the registers `ymm0` to `ymm15` or `zmm0` to `zmm15`. The others have no
/// lower halves that code for SSE could write to. The last operand is the one that is written to.
fn fills_upper_halves(instruction: &str) -> bool {
    let last = instruction.rsplit([',', '\t']).next().unwrap_or_default().trim();
    let register = last.split(' ').next().unwrap_or_default();
    let number = register.strip_prefix("%ymm").or_else(|| register.strip_prefix("%zmm"));
    instruction.starts_with('v') && number.and_then(|number| number.parse().ok()).is_some_and(|number: u8| number < 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exits of one function with these lines.
    fn exits(lines: &str) -> Vec<String> {
        let assembly = format!("\t.type\tf,@function\nf:\n{lines}");
        functions(&assembly).iter().flat_map(Function::full_exits).collect()
    }

    const TEST: &str = "\tvmovdqu\t(%rdx), %ymm1\n\tvpmovmskb\t%ymm1, %eax\n\ttestl\t%eax, %eax\n";

    #[test]
    fn a_branch_to_another_function_after_a_test_of_a_vector_is_found() {
        assert_eq!(exits(&format!("{TEST}\tjne\tg\n\tvzeroupper\n\tretq\n")), ["f: jne g"]);
    }

    #[test]
    fn cleared_halves_a_local_branch_and_a_jump_are_fine() {
        assert!(exits(&format!("{TEST}\tvzeroupper\n\tjne\tg\n\tretq\n")).is_empty());
        assert!(exits(&format!("{TEST}\tjne\t.L1\n\tretq\n.L1:\n\tvzeroupper\n\tjmp\tg\n")).is_empty());
        assert!(exits("\tvmovdqu\t%ymm1, (%rdx)\n\tjne\tg\n\tretq\n").is_empty());
        assert!(exits("\tvmovdqu64\t(%rdx), %zmm16\n\tjne\tg\n\tretq\n").is_empty());
    }

    #[test]
    fn full_halves_are_followed_through_a_loop() {
        let around =
            "\ttestl\t%eax, %eax\n.L1:\n\tje\tg\n\tvpxor\t%ymm0, %ymm0, %ymm0\n\tjne\t.L1\n\tvzeroupper\n\tretq\n";
        assert_eq!(exits(around), ["f: je g"]);
    }

    #[test]
    fn a_mask_after_the_register_does_not_hide_it() {
        assert!(fills_upper_halves("vmovdqu8\t%zmm19, %zmm3 {%k2}"));
        assert!(!fills_upper_halves("vpmovmskb\t%ymm1, %eax"));
    }
}
