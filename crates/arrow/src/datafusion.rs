//! Functions of SQL for [DataFusion](https://datafusion.apache.org):
//!
//! * `decode_text(binary, label)` is the text of bytes in the encoding of this label. A byte order mark decides the
//!   encoding, and malformed sequences become U+FFFD. A null label makes null; a label that no encoding has is an
//!   error.
//! * `decode_charset(binary, charset)` is the same for all [charsets](Labels::one_charset), for example `'cp037'`.
//! * `decode_html(binary, charset, guess)` is what a browser would read: a struct of `text`, `encoding`, `confidence`,
//!   `reason` and `had_errors`, the fields of [`html`](crate::html()). `charset` is that of HTTP. With `'detect'` as
//!   `guess`, statistics of languages decide where a page declares nothing. Both can be null or left out.
//! * `detect_encoding(binary)` is a guess: a struct of `encoding`, `language` and `probability`, the fields of
//!   [`detect`](crate::detect()).
//!
//! ```
//! use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
//!
//! // A `SessionContext` is a registry, too.
//! let mut registry = MemoryFunctionRegistry::new();
//! textcodec_arrow::datafusion::register(&mut registry)?;
//! assert_eq!(registry.udfs().len(), 4);
//! assert_eq!(registry.udf("decode_text")?.name(), "decode_text");
//! # Ok::<(), datafusion_common::DataFusionError>(())
//! ```

use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use datafusion_common::{DataFusionError, Result, ScalarValue, plan_err};
use datafusion_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, registry::FunctionRegistry,
};

use crate::{
    Charsets, DecodeOptions, DetectOptions, Error, HtmlOptions, Kind, Labels, decode, detect, detect_fields, guess,
    html, html_fields,
};

/// Registers `decode_text`, `decode_charset`, `decode_html` and `detect_encoding`.
///
/// # Errors
/// If the registry takes no functions.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in [decode_text(), decode_charset(), decode_html(), detect_encoding()] {
        registry.register_udf(Arc::new(function))?;
    }
    Ok(())
}

/// The function `decode_text(binary, label)`.
#[must_use]
pub fn decode_text() -> ScalarUDF {
    Function::Text.into()
}

/// The function `decode_charset(binary, charset)`.
#[must_use]
pub fn decode_charset() -> ScalarUDF {
    Function::Charset.into()
}

/// The function `decode_html(binary, charset, guess)`; `charset` and `guess` can be left out.
#[must_use]
pub fn decode_html() -> ScalarUDF {
    Function::Html.into()
}

/// The function `detect_encoding(binary)`.
#[must_use]
pub fn detect_encoding() -> ScalarUDF {
    Function::Detect.into()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Function {
    Text,
    Charset,
    Html,
    Detect,
}

impl Function {
    /// The least and the greatest number of arguments, and their names.
    const fn arguments(self) -> (usize, usize, &'static str) {
        match self {
            Function::Text => (2, 2, "bytes and a label"),
            Function::Charset => (2, 2, "bytes and a charset"),
            Function::Html => (1, 3, "bytes, a charset and a guess"),
            Function::Detect => (1, 1, "bytes"),
        }
    }
}

impl From<Function> for ScalarUDF {
    fn from(function: Function) -> Self {
        ScalarUDF::new_from_impl(Implementation { function, signature: Signature::user_defined(Volatility::Immutable) })
    }
}

#[derive(PartialEq, Eq, Hash, Debug)]
struct Implementation {
    function: Function,
    signature: Signature,
}

impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        DataFusionError::Execution(error.to_string())
    }
}

impl ScalarUDFImpl for Implementation {
    fn name(&self) -> &str {
        match self.function {
            Function::Text => "decode_text",
            Function::Charset => "decode_charset",
            Function::Html => "decode_html",
            Function::Detect => "detect_encoding",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Types that the kernels take stay. A dictionary becomes its values, so that the type of the result follows from
    /// the types.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (least, most, arguments) = self.function.arguments();
        if !(least..=most).contains(&types.len()) {
            return plan_err!("{} takes {arguments}, and got {} arguments", self.name(), types.len());
        }
        let plain = |data_type: &DataType| match data_type {
            DataType::Dictionary(_, values) => (**values).clone(),
            other => other.clone(),
        };
        let mut coerced = Vec::new();
        for (index, data_type) in types.iter().map(plain).enumerate() {
            coerced.push(match (index, data_type) {
                (0, DataType::Null) => DataType::Binary,
                (_, DataType::Null) => DataType::Utf8,
                (0, DataType::FixedSizeBinary(_)) => DataType::Binary,
                (0, data_type @ (DataType::Binary | DataType::LargeBinary | DataType::BinaryView)) => data_type,
                (1.., data_type @ (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)) => data_type,
                (0, other) => {
                    return plan_err!("the first argument of {} must be binary, and has the type {other}", self.name());
                }
                (_, other) => {
                    let place = if index == 1 { "second" } else { "third" };
                    return plan_err!("the {place} argument of {} must be text, and has the type {other}", self.name());
                }
            });
        }
        Ok(coerced)
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let Some(kind) = types.first().and_then(Kind::of) else {
            return plan_err!("the first argument of {} must be binary", self.name());
        };
        Ok(match self.function {
            Function::Text | Function::Charset => kind.text(),
            Function::Html => DataType::Struct(html_fields(kind)),
            Function::Detect => DataType::Struct(detect_fields()),
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_one = args.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let rows = if is_one { 1 } else { args.number_rows };
        let Some(column) = args.args.first() else {
            return plan_err!("{} takes {}", self.name(), self.function.arguments().2);
        };
        let column = column.to_array(rows)?;
        let label = args.args.get(1);
        let result = match self.function {
            Function::Text | Function::Charset => {
                let is_charset = self.function == Function::Charset;
                let labels = match one_label(label) {
                    // One label for all rows is looked up once.
                    Some(Some(label)) if is_charset => Labels::one_charset(label)?,
                    Some(Some(label)) => Labels::one(label)?,
                    Some(None) => {
                        let nulls = arrow_array::new_null_array(args.return_type(), rows);
                        return value(&nulls, is_one);
                    }
                    None => {
                        let labels = label.map(|label| label.to_array(rows)).transpose()?;
                        if is_charset {
                            Labels::each_charset_of(labels.as_deref())?
                        } else {
                            Labels::each_of(labels.as_deref())?
                        }
                    }
                };
                decode(&column, &labels, &DecodeOptions::default())?
            }
            Function::Html => {
                let charsets = match (label, one_label(label)) {
                    (None, _) | (_, Some(None)) => Charsets::default(),
                    (_, Some(Some(charset))) => Charsets::one(charset),
                    (Some(charsets), None) => Charsets::each_of([&*charsets.to_array(rows)? as &dyn Array])?,
                };
                let mut options = HtmlOptions::default();
                if let Some(argument) = args.args.get(2) {
                    options.guess = match one_label(Some(argument)) {
                        Some(None) => None,
                        Some(Some("detect")) => Some(&guess),
                        _ => return plan_err!("the third argument of {} must be 'detect' or NULL", self.name()),
                    };
                }
                Arc::new(html(&column, &charsets, &options)?)
            }
            Function::Detect => Arc::new(detect(&column, &DetectOptions::new())?),
        };
        value(&result, is_one)
    }
}

/// The result of a function: a column, or the value of its only row.
fn value(result: &ArrayRef, is_one: bool) -> Result<ColumnarValue> {
    Ok(if is_one {
        ColumnarValue::Scalar(ScalarValue::try_from_array(result, 0)?)
    } else {
        ColumnarValue::Array(result.clone())
    })
}

/// The label, if it is the same for all rows; it can be null.
fn one_label(label: Option<&ColumnarValue>) -> Option<Option<&str>> {
    match label? {
        ColumnarValue::Scalar(
            ScalarValue::Utf8(label) | ScalarValue::LargeUtf8(label) | ScalarValue::Utf8View(label),
        ) => Some(label.as_deref()),
        _ => None,
    }
}
