/**
 * {@code cairn rolling-restart}: restarts the servers of a running cluster one after the other,
 * with commands that the user gives.
 */
package dev.cairn.launcher.rolling;
