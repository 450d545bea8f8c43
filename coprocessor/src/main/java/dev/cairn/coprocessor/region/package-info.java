/** The coprocessors of one region from its opening to its close. */
package dev.cairn.coprocessor.region;
