/** The command line of torture. */
package dev.cairn.torture.command;
