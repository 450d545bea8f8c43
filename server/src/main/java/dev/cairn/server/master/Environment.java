package dev.cairn.server.master;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.catalog.TableFiles;
import java.util.function.Consumer;

/**
 * What procedures work with. All but {@code files}, {@code shapes}, {@code calls} and {@code
 * schemaCheck} is owned by the loop.
 *
 * @param schemaCheck throws {@link IllegalArgumentException} for a table whose files the engine
 *     could not write
 */
record Environment(
    MasterLoop loop,
    Clock clock,
    TableFiles files,
    RegionShapes shapes,
    CatalogWriter catalog,
    Tables tables,
    Namespaces namespaces,
    NamespaceQuota namespaceQuota,
    QuotaSettings quotas,
    Assignments assignments,
    RegionServerCalls calls,
    Consumer<TableSchema> schemaCheck) {}
