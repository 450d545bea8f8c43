/** Reads of clients between the hooks of coprocessors. */
package dev.cairn.coprocessor.read;
