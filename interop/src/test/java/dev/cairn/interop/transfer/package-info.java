/** {@code cairn export}, {@code import}, {@code copy}, {@code count} and {@code compare}. */
package dev.cairn.interop.transfer;
