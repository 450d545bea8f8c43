/** Calls of the services that coprocessors bring. */
package dev.cairn.coprocessor.endpoint;
