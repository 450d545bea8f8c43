/** Annotations for the JVM's compilers. Imports nothing of the project. */
package dev.cairn.engine.compile;
