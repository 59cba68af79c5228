//! The lines of jobs that run side by side, for both streams.

use std::{
    collections::{BTreeMap, HashSet},
    io,
};

use textcodec_convert::files::jobs;

use crate::{
    message::{say, say_hint},
    progress::Progress,
    standard_streams::StandardOutput,
};

/// Takes the lines of all jobs.
pub(crate) type Desk<'a> = jobs::Desk<Printer<'a>>;

/// Prints the lines of jobs.
pub(crate) struct Printer<'a> {
    output: Option<StandardOutput>,
    /// The first error of printing to standard output.
    failed: Option<io::Error>,
    /// Each hint is printed once.
    hints: HashSet<String>,
    /// The number of texts on each [`Topic`].
    topics: BTreeMap<Topic, usize>,
    progress: &'a Progress,
}

/// A topic on which only the first files of a run have something to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Topic {
    /// The encoding of a file is that of --fallback.
    Fallback,
    /// A line of a file before and after the conversion.
    Sample,
}

impl Topic {
    /// The number of texts that are printed.
    pub(crate) const LIMIT: usize = 20;
}

/// Text for one of the two streams.
pub(crate) enum Line {
    Output(String),
    Error(String),
    /// Lines that help with an error.
    Hint(String),
    /// A line that is printed only if there are few on its topic before it.
    Some(Topic, Box<Line>),
}

impl<'a> Printer<'a> {
    /// `output` is the standard output, if the jobs print to it.
    pub(crate) fn new(output: Option<StandardOutput>, progress: &'a Progress) -> Self {
        Printer { output, failed: None, hints: HashSet::new(), topics: BTreeMap::new(), progress }
    }

    /// The number of texts on this topic that were not printed.
    pub(crate) fn left_out(&self, topic: Topic) -> usize {
        self.topics.get(&topic).map_or(0, |number| number.saturating_sub(Topic::LIMIT))
    }

    /// The first error of printing to standard output.
    pub(crate) fn result(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    fn print_line(&mut self, line: Line) {
        match line {
            Line::Output(text) => {
                if let (None, Some(output)) = (&self.failed, &mut self.output) {
                    self.failed = output.print(&text).err();
                }
            }
            Line::Error(text) => say(&text),
            Line::Some(topic, line) => {
                let number = self.topics.entry(topic).or_default();
                *number += 1;
                if *number <= Topic::LIMIT {
                    self.print_line(*line);
                }
            }
            Line::Hint(text) => {
                if !self.hints.contains(&text) {
                    say_hint(&text);
                    self.hints.insert(text);
                }
            }
        }
    }
}

impl jobs::Printer for Printer<'_> {
    type Line = Line;

    fn print(&mut self, lines: Vec<Line>) {
        self.progress.suspend(|| lines.into_iter().for_each(|line| self.print_line(line)));
    }

    fn has_failed(&self) -> bool {
        self.failed.is_some()
    }
}

/// The lines of one job.
pub(crate) struct Report<'a, 'p>(jobs::Report<'a, Printer<'p>>);

impl<'a, 'p> From<jobs::Report<'a, Printer<'p>>> for Report<'a, 'p> {
    fn from(report: jobs::Report<'a, Printer<'p>>) -> Self {
        Report(report)
    }
}

impl Report<'_, '_> {
    /// Prints `text`, which ends with a line feed, to standard output.
    pub(crate) fn print(&mut self, text: &str) {
        self.0.extend(text.len(), |last| match last {
            Some(Line::Output(before)) => {
                before.push_str(text);
                None
            }
            _ => Some(Line::Output(text.to_owned())),
        });
        self.0.pass_on_if_long();
    }

    /// Prints a line to standard error.
    pub(crate) fn say(&mut self, line: &str) {
        self.0.add(Line::Error(line.to_owned()), line.len());
    }

    /// As [`print`](Self::print), if this is one of the first texts on the topic.
    pub(crate) fn print_some(&mut self, topic: Topic, text: &str) {
        self.0.add(Line::Some(topic, Box::new(Line::Output(text.to_owned()))), text.len());
    }

    /// As [`say`](Self::say), if this is one of the first lines on the topic.
    pub(crate) fn say_some(&mut self, topic: Topic, line: &str) {
        self.0.add(Line::Some(topic, Box::new(Line::Error(line.to_owned()))), line.len());
    }

    /// Prints an error to standard error. The lines after its first say what the user can do; they are printed once in
    /// a run.
    pub(crate) fn say_error(&mut self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        match text.split_once('\n') {
            Some((line, hint)) => {
                self.say(line);
                self.0.add(Line::Hint(hint.to_owned()), 0);
            }
            None => self.say(&text),
        }
    }
}
