//! Puts many mutants into one source file. Each mutant is a branch that runs only while its number is chosen.

use std::{collections::HashMap, ops::Range};

use anyhow::{Context, Result};
use proc_macro2::Span;
use syn::{BinOp, Expr, Lit, Stmt, spanned::Spanned, visit::Visit};

/// A place that can be mutated: the genre of the mutant, its line and its column. Both count from 1.
pub(super) type Place = (Genre, usize, usize);

/// What a mutant changes. The first five are genres of cargo-mutants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Genre {
    Function,
    Binary,
    Unary,
    Guard,
    Arm,
    /// An integer is one greater.
    Literal,
    /// A statement is left out.
    Statement,
}

impl Genre {
    /// The genre with this name in the JSON of cargo-mutants.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "FnValue" => Self::Function,
            "BinaryOperator" => Self::Binary,
            "UnaryOperator" => Self::Unary,
            "MatchArmGuard" => Self::Guard,
            "MatchArm" => Self::Arm,
            _ => return None,
        })
    }
}

/// What can be mutated at a place.
pub(super) struct Site {
    /// The expression or statement, or the empty range at which a branch is inserted.
    range: Range<usize>,
    /// The part of the range that the replacement replaces.
    replaced: Range<usize>,
    /// The name of the function around it.
    pub(super) function: String,
    /// The replacement of a mutant that is not from cargo-mutants.
    pub(super) replacement: String,
}

/// The places of a file that can be mutated while the program runs. What the compiler evaluates is none.
pub(super) fn sites(text: &str) -> Result<HashMap<Place, Site>> {
    let file = syn::parse_file(text).context("cannot parse a source file")?;
    let mut visitor = Visitor { text, sites: HashMap::new(), functions: Vec::new(), constant: 0 };
    visitor.visit_file(&file);
    Ok(visitor.sites)
}

/// A change of the text: `before` and `after` surround a range, in which other changes may be.
pub(super) struct Edit {
    range: Range<usize>,
    before: String,
    after: String,
}

/// The change that puts mutants into a place, each with its number and its replacement.
pub(super) fn edit(text: &str, genre: Genre, site: &Site, mutants: &[(u32, &str)]) -> Edit {
    let mut before = String::new();
    let mut after = String::new();
    for (number, replacement) in mutants {
        let on = format!("crate::mutants_switch::on({number})");
        match genre {
            Genre::Function => before += &format!("if {on} {{ return {{ {replacement} }}; }} "),
            Genre::Arm => before += &format!(" if !{on} "),
            Genre::Statement => {
                before += &format!("if !{on} {{ ");
                after += " }";
            }
            Genre::Binary | Genre::Unary | Genre::Guard | Genre::Literal => {
                let left = &text[site.range.start..site.replaced.start];
                let right = &text[site.replaced.end..site.range.end];
                before += &format!("(if {on} {{ {left}{replacement}{right} }} else {{ ");
                after += " })";
            }
        }
    }
    Edit { range: site.range.clone(), before, after }
}

/// The text with the changes.
pub(super) fn render(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut output = String::new();
    let mut written = 0;
    // The ends of the ranges that have begun, with what follows them.
    let mut open: Vec<(usize, &str)> = Vec::new();
    for edit in &edits {
        while let Some((end, after)) = open.pop_if(|(end, _)| *end <= edit.range.start && edit.range.start > written) {
            output += &text[written..end];
            written = end;
            output += after;
        }
        output += &text[written..edit.range.start];
        written = edit.range.start;
        output += &edit.before;
        if edit.range.is_empty() {
            output += &edit.after;
        } else {
            open.push((edit.range.end, &edit.after));
        }
    }
    while let Some((end, after)) = open.pop() {
        output += &text[written..end];
        written = end;
        output += after;
    }
    output + &text[written..]
}

struct Visitor<'a> {
    text: &'a str,
    sites: HashMap<Place, Site>,
    functions: Vec<String>,
    /// How many constants and functions of the compiler are around the place.
    constant: usize,
}

impl Visitor<'_> {
    fn add(&mut self, genre: Genre, at: Span, range: Range<usize>, replaced: Range<usize>, replacement: &str) {
        if self.constant > 0 {
            return;
        }
        let start = at.start();
        let function = self.functions.last().cloned().unwrap_or_default();
        let site = Site { range, replaced, function, replacement: replacement.to_owned() };
        self.sites.insert((genre, start.line, start.column + 1), site);
    }

    fn in_constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.constant += 1;
        visit(self);
        self.constant -= 1;
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block, attributes: &[syn::Attribute]) {
        if is_test(attributes) {
            return;
        }
        self.constant += usize::from(signature.constness.is_some());
        self.functions.push(signature.ident.to_string());
        if let Some(first) = block.stmts.first() {
            let start = first.span().byte_range().start;
            self.add(Genre::Function, first.span(), start..start, start..start, "");
        }
        self.visit_block(block);
        self.functions.pop();
        self.constant -= usize::from(signature.constness.is_some());
    }
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block, &item.attrs);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block, &item.attrs);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block, &item.attrs);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.in_constant(|visitor| syn::visit::visit_item_const(visitor, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.in_constant(|visitor| syn::visit::visit_impl_item_const(visitor, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.in_constant(|visitor| syn::visit::visit_trait_item_const(visitor, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.in_constant(|visitor| syn::visit::visit_item_static(visitor, item));
    }

    fn visit_expr_const(&mut self, expression: &'ast syn::ExprConst) {
        self.in_constant(|visitor| syn::visit::visit_expr_const(visitor, expression));
    }

    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        self.in_constant(|visitor| syn::visit::visit_pat(visitor, pattern));
    }

    fn visit_type(&mut self, ty: &'ast syn::Type) {
        self.in_constant(|visitor| syn::visit::visit_type(visitor, ty));
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.in_constant(|visitor| syn::visit::visit_generic_argument(visitor, argument));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.in_constant(|visitor| syn::visit::visit_variant(visitor, variant));
    }

    fn visit_expr_repeat(&mut self, expression: &'ast syn::ExprRepeat) {
        self.visit_expr(&expression.expr);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_expr_binary(&mut self, expression: &'ast syn::ExprBinary) {
        let range = expression.span().byte_range();
        self.add(Genre::Binary, expression.op.span(), range, operator(&expression.op), "");
        syn::visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'ast syn::ExprUnary) {
        let operator = expression.op.span();
        self.add(Genre::Unary, operator, expression.span().byte_range(), operator.byte_range(), "");
        // The compiler takes a minus and the literal after it as one literal.
        if !matches!((&expression.op, &*expression.expr), (syn::UnOp::Neg(_), Expr::Lit(_))) {
            syn::visit::visit_expr_unary(self, expression);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            let range = guard.span().byte_range();
            self.add(Genre::Guard, guard.span(), range.clone(), range, "");
        } else {
            let end = arm.pat.span().byte_range().end;
            self.add(Genre::Arm, arm.span(), end..end, end..end, "");
        }
        syn::visit::visit_arm(self, arm);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        if let Lit::Int(number) = &literal.lit
            && let Ok(value) = number.base10_parse::<u128>()
        {
            let replacement = format!("{:#X}{}", value + 1, number.suffix()).replacen("0X", "0x", 1);
            let range = literal.span().byte_range();
            self.add(Genre::Literal, literal.span(), range.clone(), range, &replacement);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_) | Expr::Binary(_), Some(_)) = statement
        {
            let range = statement.span().byte_range();
            debug_assert!(self.text.is_char_boundary(range.start));
            self.add(Genre::Statement, statement.span(), range.clone(), range, "");
        }
        syn::visit::visit_stmt(self, statement);
    }
}

fn operator(operator: &BinOp) -> Range<usize> {
    operator.span().byte_range()
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}
