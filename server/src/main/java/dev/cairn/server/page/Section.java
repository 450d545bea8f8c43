package dev.cairn.server.page;

/** A part of a page. */
public sealed interface Section
    permits Tiles, Facts, Table, Timeline, TextBlock, Notice, Figure, ActionForm {}
