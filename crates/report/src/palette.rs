//! One fixed look per provider: the same library has the same colour in every chart of every run.
//!
//! Colours after Okabe and Ito, "Color Universal Design" (2008), which people with any common colour blindness can tell
//! apart; the second of each pair is lightened for dark backgrounds. Versions of one library share its hue and differ
//! in lightness, marker and dash, so colour is never the only difference.

use crate::record::Run;
use std::collections::BTreeMap;

/// How a provider is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Colour on a light background, `#rrggbb`.
    pub light: &'static str,
    /// Colour on a dark background.
    pub dark: &'static str,
    /// Shape of its points.
    pub marker: Marker,
    /// SVG dash pattern of its lines; empty for a solid line.
    pub dash: &'static str,
}

/// Shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// ●
    Circle,
    /// ■
    Square,
    /// ▲
    Triangle,
    /// ◆
    Diamond,
    /// ▼
    TriangleDown,
    /// A cross of two bars.
    Cross,
}

const MARKERS: [Marker; 6] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::TriangleDown, Marker::Cross];

/// Lines of the second, third, … version of a library.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// A library's hue in four lightnesses: pairs of (on light, on dark).
type Hue = [(&'static str, &'static str); 4];

const BLUE: Hue = [("#0072b2", "#4aa8e0"), ("#003f63", "#a3d3f2"), ("#3d9bd6", "#2078ad"), ("#7a94a8", "#c8d8e4")];
const VERMILION: Hue = [("#d55e00", "#f08a3c"), ("#873b00", "#f9c49b"), ("#f29a57", "#c2600f"), ("#b08468", "#e6d2c4")];
const GREEN: Hue = [("#009e73", "#34c79c"), ("#005a42", "#a1e6d0"), ("#4fc4a3", "#128a68"), ("#7fa699", "#cfe6de")];
const ORANGE: Hue = [("#e69f00", "#f2bd4a"), ("#8a6000", "#fae0a8"), ("#f5c65c", "#c08a10"), ("#b3a078", "#ebe2cc")];
const PURPLE: Hue = [("#b5578f", "#dd92bd"), ("#6e2f55", "#f2cde1"), ("#d990ba", "#b0608f"), ("#a68a9a", "#e6d6df")];
const SKY: Hue = [("#3fa0d0", "#7cc8ef"), ("#1d5f80", "#c2e5f7"), ("#8cc9e8", "#4a98c0"), ("#8fa6b0", "#d4e2e8")];
const OLIVE: Hue = [("#8a8a1c", "#d0cf55"), ("#525210", "#ecebb0"), ("#b5b54a", "#a3a235"), ("#9a9a80", "#dedecb")];
const GREY: Hue = [("#6b6b6b", "#a8a8a8"), ("#3a3a3a", "#d6d6d6"), ("#9a9a9a", "#808080"), ("#888888", "#c0c0c0")];

/// Libraries with a hue of their own.
const FIXED: [(&str, Hue); 7] = [
    ("aws-lc", BLUE),
    ("openssl", VERMILION),
    ("liboqs", GREEN),
    ("rustcrypto", ORANGE),
    ("libcrux", PURPLE),
    ("python-cryptography", SKY),
    ("null", GREY),
];

/// For libraries not named above, by a hash of the name: fixed across runs as well.
const OTHERS: [Hue; 2] = [OLIVE, SKY];

/// The looks of all providers of a run.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    styles: BTreeMap<String, Style>,
}

impl Palette {
    /// Looks for the providers of `run`, including those that only its rows name.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        let ids = run.providers.iter().map(|provider| provider.id.as_str());
        Self::of_ids(ids.chain(run.rows.iter().map(|row| row.provider.as_str())))
    }

    /// Looks for providers by their ids; versions of one library are told apart in this order.
    #[must_use]
    pub fn of_ids<'i>(ids: impl IntoIterator<Item = &'i str>) -> Self {
        let mut styles = BTreeMap::new();
        let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
        for id in ids {
            if styles.contains_key(id) {
                continue;
            }
            let name = id.split('@').next().unwrap_or(id);
            let version = versions.entry(name).or_default();
            styles.insert(id.to_owned(), style(name, *version));
            *version += 1;
        }
        Self { styles }
    }

    /// The look of a provider; grey for one that the run does not know.
    #[must_use]
    pub fn style(&self, provider: &str) -> Style {
        self.styles.get(provider).copied().unwrap_or_else(|| style("null", 0))
    }
}

/// The look of the `index`-th of things that are no providers: operations, laws.
#[must_use]
pub fn categorical(index: usize) -> Style {
    const HUES: [Hue; 8] = [BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, OLIVE, GREY];
    let hue = HUES.get(index % HUES.len()).unwrap_or(&GREY);
    let (light, dark) = hue.get(index / HUES.len() % hue.len()).copied().unwrap_or(("#6b6b6b", "#a8a8a8"));
    let marker = MARKERS.get(index % MARKERS.len()).copied().unwrap_or(Marker::Circle);
    let dash = DASHES.get(index % DASHES.len()).copied().unwrap_or_default();
    Style { light, dark, marker, dash }
}

/// The look of the `index`-th of things with an order, from light to dark: sizes.
#[must_use]
pub fn sequential(index: usize) -> Style {
    const RAMP: [(&str, &str); 6] = [
        ("#a9cfe6", "#e3f0f9"),
        ("#7db4d6", "#c3def0"),
        ("#5298c3", "#9cc9e6"),
        ("#2d7bac", "#72b0d8"),
        ("#125e8f", "#4a94c4"),
        ("#003f63", "#2878ac"),
    ];
    let (light, dark) = RAMP.get(index.min(RAMP.len() - 1)).copied().unwrap_or(("#6b6b6b", "#a8a8a8"));
    Style { light, dark, marker: Marker::Circle, dash: "" }
}

fn style(name: &str, version: usize) -> Style {
    let fixed = FIXED.iter().position(|(known, _)| *known == name);
    // FNV-1a, so that an unknown library keeps its look from run to run.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let seed = usize::try_from(hash % 1024).unwrap_or(0);
    let hue = match fixed.and_then(|index| FIXED.get(index)) {
        Some((_, hue)) => *hue,
        None => OTHERS.get(seed % OTHERS.len()).copied().unwrap_or(GREY),
    };
    let (light, dark) = hue.get(version % hue.len()).copied().unwrap_or(("#6b6b6b", "#a8a8a8"));
    let shape = fixed.unwrap_or(seed) + version;
    Style {
        light,
        dark,
        marker: MARKERS.get(shape % MARKERS.len()).copied().unwrap_or(Marker::Circle),
        dash: DASHES.get(version % DASHES.len()).copied().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::style;

    #[test]
    fn a_library_keeps_its_colour_and_its_versions_differ() {
        assert_eq!(style("aws-lc", 0).light, "#0072b2");
        assert_eq!(style("openssl", 0).light, "#d55e00");
        assert_ne!(style("openssl", 0), style("openssl", 1));
        assert_ne!(style("openssl", 1).dash, style("openssl", 2).dash);
        assert_eq!(style("wolfssl", 0), style("wolfssl", 0));
    }
}
