//! Names of run directories.

/// `<utc>-<host>-<plan>` from an RFC 3339 time in UTC, a host name and a plan name, safe as one path component.
///
/// The time loses its separators and fractions (`20260314T092653Z`); of the names, everything but ASCII letters,
/// digits, `.` and `_` becomes one `-`, and at most 48 characters of each are kept.
#[must_use]
pub fn run_id(started_at: &str, host: &str, plan: &str) -> String {
    let whole_seconds = started_at.split('.').next().unwrap_or_default();
    let mut utc: String = whole_seconds.chars().filter(char::is_ascii_alphanumeric).take(15).collect();
    if !utc.ends_with('Z') {
        utc.push('Z');
    }
    format!("{utc}-{}-{}", component(host), component(plan))
}

fn component(name: &str) -> String {
    let mut safe = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() || character == '_' || (character == '.' && !safe.is_empty()) {
            safe.push(character);
        } else if !safe.ends_with('-') && !safe.is_empty() {
            safe.push('-');
        }
        if safe.len() == 48 {
            break;
        }
    }
    let safe = safe.trim_end_matches(['-', '.']);
    if safe.is_empty() { "unnamed".into() } else { safe.into() }
}

#[cfg(test)]
mod tests {
    use super::run_id;

    #[test]
    fn name_is_one_safe_path_component() {
        assert_eq!(run_id("2026-03-14T09:26:53.589Z", "lab-7", "quick"), "20260314T092653Z-lab-7-quick");
        assert_eq!(run_id("2026-03-14T09:26:53Z", "../..", "a/b c"), "20260314T092653Z-unnamed-a-b-c");
        assert_eq!(run_id("", "é", ""), "Z-unnamed-unnamed");
        assert!(run_id("2026-03-14T09:26:53Z", &"h".repeat(500), &"p".repeat(500)).len() < 128);
    }
}
