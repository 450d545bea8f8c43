/** Opens and closes regions as the master orders, and reports the transitions. */
package dev.cairn.server.regionserver.assignment;
