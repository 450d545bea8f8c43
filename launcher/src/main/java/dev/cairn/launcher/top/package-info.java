/**
 * {@code cairn top}: where the traffic of a cluster goes, live in a terminal. {@link
 * dev.cairn.launcher.top.TopReader} asks all region servers for their latest traffic, {@link
 * dev.cairn.launcher.top.TopText} writes it as lines, and {@link dev.cairn.launcher.top.TopScreen}
 * refreshes the screen and reads keys.
 */
package dev.cairn.launcher.top;
