//! Progress bars on standard error, drawn only when it is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar for this many units of work, with an estimate of the time left.
///
/// Draws nothing when standard error is not a terminal.
pub(crate) fn bar(total: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let template = format!(
        "{{msg:16}} {{bar:30}} {{percent:>3}}% {{human_pos}} {unit}, {{per_sec}}, {{eta}} left"
    );
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
