//! Runs SQL with `decode_text` and `decode_html`:
//! `cargo run -p textcodec-arrow-datafusion -- "SELECT decode_text(X'8365', 'sjis')"`.

use datafusion::{error::Result, prelude::SessionContext};

fn main() -> Result<()> {
    let default = "SELECT decode_html(X'3C6D65746120636861727365743D6B6F69382D723EC4C1', NULL) AS page";
    let query = std::env::args().nth(1).unwrap_or_else(|| default.to_owned());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        let mut context = SessionContext::new();
        textcodec_arrow::datafusion::register(&mut context)?;
        context.sql(&query).await?.show().await
    })
}
