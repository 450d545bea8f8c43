/** The coprocessors of a region server itself. */
package dev.cairn.coprocessor.server;
