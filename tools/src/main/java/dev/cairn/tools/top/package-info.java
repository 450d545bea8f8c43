/**
 * {@code cairn top}: where the traffic of a cluster goes, live in a terminal. {@link
 * dev.cairn.tools.top.TopReader} asks all region servers for their latest traffic, {@link
 * dev.cairn.tools.top.TopText} writes it as lines, and {@link dev.cairn.tools.top.TopScreen}
 * refreshes the screen and reads keys.
 */
package dev.cairn.tools.top;
