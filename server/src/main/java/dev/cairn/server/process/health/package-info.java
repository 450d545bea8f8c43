/** Health checks of parts that have none of their own. */
package dev.cairn.server.process.health;
