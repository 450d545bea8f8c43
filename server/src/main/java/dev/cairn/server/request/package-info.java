/**
 * Turns the protocol's messages into the engine's requests. Each call has a message here ({@link
 * dev.cairn.server.request.GetMessage} and its like). Gets and scans have one reader each, straight
 * from the bytes, which leaves filters and attributes raw; {@link
 * dev.cairn.server.request.QueryDecoder} completes them. Common mutations are read from the bytes,
 * too; protobuf reads the others, and {@link dev.cairn.server.request.MutationDecoder} decodes
 * them. The results are well formed, or errors that tell the client what is wrong. Knows no
 * regions.
 */
package dev.cairn.server.request;
