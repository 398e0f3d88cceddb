//! The plans that come with the program.

/// Name and text of every shipped plan.
#[must_use]
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    &[
        ("quick", include_str!("../../../../benchmarks/quick.toml")),
        ("smoke", include_str!("../../../../benchmarks/smoke.toml")),
        ("kem", include_str!("../../../../benchmarks/kem.toml")),
        ("signature", include_str!("../../../../benchmarks/signature.toml")),
        ("symmetric", include_str!("../../../../benchmarks/symmetric.toml")),
        ("imports", include_str!("../../../../benchmarks/imports.toml")),
        ("latency", include_str!("../../../../benchmarks/latency.toml")),
        ("discovered", include_str!("../../../../benchmarks/discovered.toml")),
        ("full", include_str!("../../../../benchmarks/full.toml")),
    ]
}
