// Vectors, matrices, quaternions and poses.
#pragma once

#include "rigor/mat.h"
#include "rigor/pose.h"
#include "rigor/quat.h"
#include "rigor/rotation.h"
#include "rigor/vec.h"
