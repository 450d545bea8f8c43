/**
 * Text for the user of a command: facts as aligned lines, and errors as one line. Depends on no
 * other room of the command line.
 */
package dev.cairn.launcher.output;
