/**
 * The master's maintenance, periodic or on an administrator's request: {@link
 * dev.cairn.server.master.chore.CatalogJanitor} archives split and merged regions, {@link
 * dev.cairn.server.master.chore.MobCompactions} asks for compactions, and {@link
 * dev.cairn.server.master.chore.Switches} turns such work on and off. Owned by the loop. Imports
 * {@code assignment}, {@code loop}, {@code meta}, {@code remote}, {@code store} and {@code table}.
 */
package dev.cairn.server.master.chore;
