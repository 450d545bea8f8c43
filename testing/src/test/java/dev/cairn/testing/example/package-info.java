/** The examples of docs/TESTING.md, which tests run. */
package dev.cairn.testing.example;
