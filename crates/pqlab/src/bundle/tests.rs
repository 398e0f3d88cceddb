//! Tests of the parts of a bundle: pins, sources over a real socket, archives that mean harm, manifests.

mod archive;
mod manifest;
mod pins;
mod server;
mod source;
