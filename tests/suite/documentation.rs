//! The documentation has a copy of the description of the service, from which it makes an API reference. A copy, because
//! the files of a site stand in its folder, and because the container image is built without the fixtures.

use std::fs;
use std::path::Path;

const DESCRIPTION: &str = "src/app/service/api/openapi.json";
const COPY: &str = "fixtures/docs/service/openapi.json";

#[test]
fn the_service_is_described_as_the_program_has_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let description = fs::read(root.join(DESCRIPTION)).expect("the description");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root.join(COPY), description).expect("a copy");
        return;
    }
    let copy = fs::read(root.join(COPY)).expect("its copy");
    assert!(
        copy == description,
        "{COPY} is not {DESCRIPTION}: run `UPDATE_DOCS=1 cargo test --test all suite::documentation`"
    );
}
