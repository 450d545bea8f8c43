/** Administration of region servers through Apache's own {@code Admin}. */
package dev.cairn.interop.admin;
