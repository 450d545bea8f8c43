/**
 * Checks the files of a data folder: {@link dev.cairn.server.verify.FolderVerifier} finds them,
 * hands each to the engine's verifier of its kind, many at a time, and sums up what they find.
 * Nothing is written and nothing is locked, so a server may be running on the folder.
 */
package dev.cairn.server.verify;
