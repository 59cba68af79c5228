//! Functions of SQL for [DataFusion](https://datafusion.apache.org):
//!
//! * `decode_text(binary, label)` is the text of bytes in the encoding of this label. A byte order mark decides the
//!   encoding, and malformed sequences become U+FFFD. A null label makes null; a label that no encoding has is an
//!   error.
//! * `decode_html(binary, charset)` is what a browser would read: a struct of `text`, `encoding`, `confidence`,
//!   `reason` and `had_errors`, the fields of [`html`](crate::html()). `charset` is that of HTTP; it can be null or
//!   left out.
//!
//! ```
//! use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
//!
//! // A `SessionContext` is a registry, too.
//! let mut registry = MemoryFunctionRegistry::new();
//! textcodec_arrow::datafusion::register(&mut registry)?;
//! assert_eq!(registry.udf("decode_text")?.name(), "decode_text");
//! # Ok::<(), datafusion_common::DataFusionError>(())
//! ```

use std::sync::Arc;

use arrow_array::Array;
use arrow_schema::DataType;
use datafusion_common::{DataFusionError, Result, ScalarValue, plan_err};
use datafusion_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, registry::FunctionRegistry,
};

use crate::{Charsets, DecodeOptions, Error, HtmlOptions, Kind, Labels, decode, html, html_fields};

/// Registers `decode_text` and `decode_html`.
///
/// # Errors
/// If the registry takes no functions.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    registry.register_udf(Arc::new(decode_text()))?;
    registry.register_udf(Arc::new(decode_html()))?;
    Ok(())
}

/// The function `decode_text(binary, label)`.
#[must_use]
pub fn decode_text() -> ScalarUDF {
    Function::Text.into()
}

/// The function `decode_html(binary, charset)`; `charset` can be left out.
#[must_use]
pub fn decode_html() -> ScalarUDF {
    Function::Html.into()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Function {
    Text,
    Html,
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
            Function::Html => "decode_html",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Types that the kernels take stay. A dictionary becomes its values, so that the type of the result follows from
    /// the types.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let least = if self.function == Function::Text { 2 } else { 1 };
        if !(least..=2).contains(&types.len()) {
            return plan_err!("{} takes bytes and a label, and got {} arguments", self.name(), types.len());
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
                (1, data_type @ (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)) => data_type,
                (0, other) => {
                    return plan_err!("the first argument of {} must be binary, and has the type {other}", self.name());
                }
                (_, other) => {
                    return plan_err!("the second argument of {} must be text, and has the type {other}", self.name());
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
            Function::Text => kind.text(),
            Function::Html => DataType::Struct(html_fields(kind)),
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_one = args.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let rows = if is_one { 1 } else { args.number_rows };
        let Some(column) = args.args.first() else { return plan_err!("{} takes bytes and a label", self.name()) };
        let column = column.to_array(rows)?;
        let label = args.args.get(1);
        let result = match self.function {
            Function::Text => match one_label(label) {
                // One label for all rows is looked up once.
                Some(Some(label)) => decode(&column, &Labels::one(label)?, &DecodeOptions::default())?,
                Some(None) => arrow_array::new_null_array(args.return_type(), rows),
                None => {
                    let labels = label.map(|label| label.to_array(rows)).transpose()?;
                    let labels = Labels::each_of(labels.as_deref())?;
                    decode(&column, &labels, &DecodeOptions::default())?
                }
            },
            Function::Html => {
                let charsets = match (label, one_label(label)) {
                    (None, _) | (_, Some(None)) => Charsets::default(),
                    (_, Some(Some(charset))) => Charsets::one(charset),
                    (Some(charsets), None) => Charsets::each_of([&*charsets.to_array(rows)? as &dyn Array])?,
                };
                Arc::new(html(&column, &charsets, &HtmlOptions::default())?)
            }
        };
        Ok(if is_one {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?)
        } else {
            ColumnarValue::Array(result)
        })
    }
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
