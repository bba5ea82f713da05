//! The bundle: entries in a fixed order to a reproducible zip archive or a folder, with a manifest.
