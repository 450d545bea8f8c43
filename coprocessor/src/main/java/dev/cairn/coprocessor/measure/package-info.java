/** Measures the hooks of coprocessors: how often they run, how long, and how often they fail. */
package dev.cairn.coprocessor.measure;
