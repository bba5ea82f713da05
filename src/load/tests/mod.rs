//! What the rooms below mean for a site that is loaded.

mod nav_build;
mod nav_generated;
mod nav_plain;
mod nav_reading;
mod nav_visibility;
mod site_refs;
mod spec;
mod spec_restricted;
mod whole;
