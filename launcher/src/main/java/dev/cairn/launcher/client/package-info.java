/** Connections of Apache's client: its configuration, and the server that the settings name. */
package dev.cairn.launcher.client;
