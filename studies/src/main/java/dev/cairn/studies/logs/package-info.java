/** Lines of logs: the order of the parts of a key, and what stands in it for names. */
package dev.cairn.studies.logs;
