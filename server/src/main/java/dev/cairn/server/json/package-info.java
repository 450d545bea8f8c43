/** JSON as text. */
package dev.cairn.server.json;
