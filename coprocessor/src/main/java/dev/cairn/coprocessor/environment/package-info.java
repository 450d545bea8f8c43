/** What coprocessors see of the server around them: settings, shared data, connections. */
package dev.cairn.coprocessor.environment;
