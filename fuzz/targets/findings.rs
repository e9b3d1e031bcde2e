#![no_main]
#![allow(dead_code, reason = "each target uses its own body")]

mod bodies;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::findings(bytes));
