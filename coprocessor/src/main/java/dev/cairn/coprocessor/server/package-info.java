/** The coprocessors of a region server itself, and of its logs. */
package dev.cairn.coprocessor.server;
