/** Runs servers and gateways in this process, until they are stopped. */
package dev.cairn.launcher.run;
