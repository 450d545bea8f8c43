/**
 * Checks the files of a data folder: {@link dev.cairn.server.verify.FolderVerifier} finds them,
 * passes each to the engine's verifier of its kind, many at a time, and sums up the findings. It
 * writes and locks nothing, so a server may be running on the folder.
 */
package dev.cairn.server.verify;
