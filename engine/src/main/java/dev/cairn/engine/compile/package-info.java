/** What the code says to the JVM's compilers. Imports nothing of the project. */
package dev.cairn.engine.compile;
