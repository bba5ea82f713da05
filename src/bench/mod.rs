//! Measuring
