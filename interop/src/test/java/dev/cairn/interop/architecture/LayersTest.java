package dev.cairn.interop.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Imports run downwards, as docs/ARCHITECTURE.md draws them. */
class LayersTest {
  private final JavaClasses classes = new ClassFileImporter().importPackages("dev.cairn.interop");

  @Test
  void noCirclesBetweenPackages() {
    slices().matching("dev.cairn.(**)").should().beFreeOfCycles().check(classes);
  }
}
