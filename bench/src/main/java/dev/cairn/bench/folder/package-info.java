/** The folders that measurements work in. */
package dev.cairn.bench.folder;
