package dev.cairn.keys.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Formats need nothing but Java; only the package for clients knows HBase's client. */
class LayersTest {
  private final JavaClasses keys =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.cairn.keys");

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.(**)").should().beFreeOfCycles().check(keys);
  }

  @Test
  void formatsNeedNothingButJava() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.cairn.keys.client..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "dev.cairn.keys", "dev.cairn.keys.type", "dev.cairn.keys.hash")
        .check(keys);
  }

  @Test
  void clientsNeedNothingButHBasesClient() {
    classes()
        .that()
        .resideInAPackage("dev.cairn.keys.client..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "dev.cairn.keys..", "org.apache.hadoop.hbase..")
        .check(keys);
  }
}
