/** The environments of coprocessors: settings, shared data, connections. */
package dev.cairn.coprocessor.environment;
