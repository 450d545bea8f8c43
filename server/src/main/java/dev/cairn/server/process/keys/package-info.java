/** The settings of the process and of the parts that it makes, and the rules that join them. */
package dev.cairn.server.process.keys;
