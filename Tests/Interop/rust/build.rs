//! Makes Rust of the contract: protoc reads it, and protobuf-codegen writes a module for each file.

use protobuf::descriptor::FileDescriptorSet;
use protobuf::Message;
use protobuf_codegen::{gen_and_write, Customize};
use std::path::Path;
use std::{env, fs, process::Command};

const PROTO: &str = "../../../Proto";
const FILES: [&str; 3] = [
    "tandem/identity/v1/accounts.proto",
    "tandem/notification/v1/notifications.proto",
    "google/rpc/error_details.proto",
];

fn main() {
    println!("cargo:rerun-if-changed={PROTO}");
    let folder = env::var("OUT_DIR").expect("cargo names a folder");
    let set = format!("{folder}/contract.binpb");
    let status = Command::new("protoc")
        .args(["--include_imports", "--proto_path", PROTO, "--descriptor_set_out", &set])
        .args(FILES)
        .status()
        .expect("protoc starts");
    assert!(status.success(), "protoc refuses the contract");

    let bytes = fs::read(&set).expect("protoc has written");
    let files = FileDescriptorSet::parse_from_bytes(&bytes).expect("protoc writes descriptors");
    // The crate protobuf has those of google/protobuf.
    let names: Vec<String> = files
        .get_file()
        .iter()
        .map(|file| file.get_name().to_string())
        .filter(|name| !name.starts_with("google/protobuf/"))
        .collect();
    gen_and_write(files.get_file(), &names, Path::new(&folder), &Customize::default()).expect("the modules are written");
    let modules: String = names.iter().map(|name| format!("pub mod {};\n", module(name))).collect();
    fs::write(format!("{folder}/mod.rs"), modules).expect("the list of modules is written");
}

fn module(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file).trim_end_matches(".proto")
}
